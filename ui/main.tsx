import { render } from "preact";
import { App } from "./app.tsx";
import { followEvents } from "./api/live.ts";
import { listenToKeys } from "./state/keys.ts";
import { applyTheme } from "./state/theme.ts";
import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/pages.css";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no place for the dashboard");
applyTheme();
listenToKeys();
followEvents();
render(<App />, root);
