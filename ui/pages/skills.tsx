import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { SkillRow, Skills } from "../api/answers.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Badge } from "../parts/badge.tsx";
import { Card } from "../parts/card.tsx";
import { count, reward } from "../parts/figures.ts";
import { Filter, matches } from "../parts/filter.tsx";
import { Commit } from "../parts/link.tsx";
import { Empty, Loaded } from "../parts/loaded.tsx";

const filter = signal("");

/** Rows that are drawn at most; the filter finds the others. */
const MOST = 200;

/** Every skill of the workspace. */
export function SkillsPage(): JSX.Element {
  const answer = useAnswer<Skills>("skills");
  return (
    <>
      <div class="title">
        <h1>Skills</h1>
        <Filter text={filter} label="Filter skills" />
      </div>
      <Loaded answer={answer}>
        {(data) => <Table skills={data.skills} uncommitted={data.uncommitted} />}
      </Loaded>
    </>
  );
}

function Table({ skills, uncommitted }: Pick<Skills, "skills" | "uncommitted">): JSX.Element {
  const found = skills.filter(({ name, description }) => matches(filter.value, name, description));
  const said =
    found.length === skills.length
      ? count(found.length)
      : `${count(found.length)} of ${count(skills.length)}`;
  return (
    <Card title="In this workspace" aside={<span class="muted">{said}</span>} flush>
      {found.length === 0 ? <Empty>{nothing(skills.length)}</Empty> : null}
      {found.length === 0 ? null : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Skill</th>
                <th scope="col" class="optional">
                  Kind
                </th>
                <th scope="col" class="num optional">
                  Cases
                </th>
                <th scope="col" class="num" title="of the version that is active">
                  Runs
                </th>
                <th scope="col" class="num">
                  Reward
                </th>
                <th scope="col" class="optional">
                  Version
                </th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, MOST).map((skill) => (
                <Row
                  key={skill.name}
                  skill={skill}
                  isUncommitted={uncommitted.includes(skill.name)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {found.length > MOST ? (
        <Empty>{count(found.length - MOST)} more; filter to see them.</Empty>
      ) : null}
    </Card>
  );
}

function nothing(all: number): string {
  return all === 0
    ? "No skill yet. `hone new` makes one of examples; commit a folder under skills/ to bring one."
    : "No skill has these words.";
}

function Row({
  skill,
  isUncommitted,
}: {
  readonly skill: SkillRow;
  readonly isUncommitted: boolean;
}): JSX.Element {
  const { name, description, kind, stands = "", problems, version } = skill;
  return (
    <tr>
      <th scope="row" class="wide">
        <a class="skill-name" data-row href={`/skills/${encodeURIComponent(name)}`}>
          {name}
        </a>{" "}
        {stands === "" ? null : <Badge tone="accent">{stands}</Badge>}
        {problems === undefined ? null : <Badge tone="bad">cannot be loaded</Badge>}
        {isUncommitted ? <Badge tone="warn">uncommitted</Badge> : null}
        <div class="row-text muted clamp">{problems?.join("; ") ?? description}</div>
      </th>
      <td class="optional">{kind ?? "–"}</td>
      <td class="num optional">{skill.cases ?? "–"}</td>
      <td class="num">{count(skill.runs ?? 0)}</td>
      <td class="num">{reward(skill.meanReward)}</td>
      <td class="optional">{version === undefined ? "–" : <Commit id={version} />}</td>
    </tr>
  );
}
