import type { Operations } from "../ports/operations.ts";
import { activityOf } from "./activity.ts";
import { beginningsOf } from "./beginnings.ts";
import { buildingOf } from "./building.ts";
import { cancellingOf } from "./cancelling.ts";
import { endingsOf } from "./endings.ts";
import { historyOf } from "./history.ts";
import { improvingOf } from "./improving.ts";
import { livingOf } from "./living.ts";
import { overviewOf } from "./overview.ts";
import { pinningOf } from "./pinning.ts";
import { recordsOf } from "./records-view.ts";
import { reviewOf } from "./review.ts";
import { schedulesOf } from "./schedules.ts";
import { runsOf } from "./runs.ts";
import { spendingOf } from "./spending.ts";
import { reportingOf } from "./reporting.ts";
import { toolsOf } from "./tools.ts";
import { workOf } from "./work.ts";
import type { Workspace } from "./workspace.ts";

/** Everything that can be asked of an open workspace. */
export function operationsOf(workspace: Workspace): Operations {
  return {
    ...workOf(workspace),
    ...reportingOf(workspace),
    ...toolsOf(workspace),
    ...cancellingOf(workspace),
    ...runsOf(workspace),
    ...recordsOf(workspace),
    ...pinningOf(workspace),
    ...improvingOf(workspace),
    ...overviewOf(workspace),
    ...activityOf(workspace),
    ...historyOf(workspace),
    ...reviewOf(workspace),
    ...beginningsOf(workspace),
    ...endingsOf(workspace),
    ...spendingOf(workspace),
    ...livingOf(workspace),
    ...buildingOf(workspace),
    ...schedulesOf(workspace),
  };
}
