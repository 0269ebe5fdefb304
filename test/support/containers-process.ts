import { someContainers } from "./containers.ts";
import { anExecution, execute } from "./executions.ts";

/** A process with containers of the given owner, one of them at work, to be killed. */
const [owner = ""] = process.argv.slice(2);
const containers = someContainers({ owner, warm: 1 });
await execute(containers.sandbox, anExecution("function skill() {}"));
const looping = anExecution("function skill() { for (;;); }", { limits: { timeoutMs: 60_000 } });
void execute(containers.sandbox, looping);
setTimeout(() => process.stdout.write("ready\n"), 1_500);
