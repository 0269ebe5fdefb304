import type { Operations } from "../ports/operations.ts";
import { activityOf } from "./views/activity.ts";
import { beginningsOf } from "./repairs/beginnings.ts";
import { buildingOf } from "./building.ts";
import { cancellingOf } from "./cancelling.ts";
import { endingsOf } from "./repairs/endings.ts";
import { historyOf } from "./views/history.ts";
import { improvingOf } from "./repairs/improving.ts";
import { livingOf } from "./life/living.ts";
import { overviewOf } from "./views/overview.ts";
import { pinningOf } from "./repairs/pinning.ts";
import { recordsOf } from "./views/records-view.ts";
import { reviewOf } from "./repairs/review.ts";
import { schedulesOf } from "./schedules/schedules.ts";
import { runsOf } from "./views/runs.ts";
import { spendingOf } from "./model/spending.ts";
import { reportingOf } from "./agents/reporting.ts";
import { toolsOf } from "./agents/tools.ts";
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
