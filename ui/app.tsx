import type { JSX } from "preact";
import { connection, trouble } from "./api/live.ts";
import { Confirmation } from "./parts/confirmation.tsx";
import { Help } from "./parts/help.tsx";
import { Notice } from "./parts/notice.tsx";
import { Navigation } from "./parts/navigation.tsx";
import { FeedPage } from "./pages/feed.tsx";
import { IncidentPage } from "./pages/incident.tsx";
import { IncidentsPage } from "./pages/incidents.tsx";
import { OverviewPage } from "./pages/overview.tsx";
import { ReviewPage } from "./pages/review.tsx";
import { SkillPage } from "./pages/skill.tsx";
import { SkillsPage } from "./pages/skills.tsx";
import { after, onLink, path } from "./state/route.ts";

/** The dashboard: its frame, and the page that the path names. */
export function App(): JSX.Element {
  return (
    <div class="shell" onClick={onLink}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation />
      <main id="main" tabIndex={-1}>
        <Stale />
        <Page of={path.value} />
      </main>
      <Help />
      <Confirmation />
      <Notice />
    </div>
  );
}

/** Says that what is shown is not up to date, where it is not. */
function Stale(): JSX.Element | null {
  if (connection.value !== "lost") return null;
  return (
    <p class="note warn wrap" role="alert">
      {trouble.value} What is shown is not up to date; it is tried again.
    </p>
  );
}

function Page({ of }: { readonly of: string }): JSX.Element {
  const skill = after("/skills", of);
  if (skill !== null) return <SkillPage key={skill} name={skill} />;
  const incident = after("/incidents", of);
  if (incident !== null) return <IncidentPage key={incident} id={incident} />;
  const candidate = after("/review", of);
  if (candidate !== null) return <ReviewPage candidate={candidate} />;
  switch (of) {
    case "/":
      return <OverviewPage />;
    case "/skills":
      return <SkillsPage />;
    case "/incidents":
      return <IncidentsPage />;
    case "/review":
      return <ReviewPage candidate={null} />;
    case "/live":
      return <FeedPage />;
    default:
      return <Missing path={of} />;
  }
}

function Missing({ path }: { readonly path: string }): JSX.Element {
  return (
    <>
      <h1>Nothing here</h1>
      <p class="muted wrap">There is no page {path}.</p>
      <p>
        <a href="/">To the overview</a>
      </p>
    </>
  );
}
