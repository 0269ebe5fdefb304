import { Command } from "commander";
import type { Invoke } from "./invocation.ts";
import { noSkills, tellUncommitted } from "./uncommitted.ts";
import { withOperations } from "./with-operations.ts";

/** `hone skills ls|show|test`. */
export function skillsCommand(invoke: Invoke): Command {
  return new Command("skills")
    .description("the workspace's skills")
    .helpCommand(false)
    .addCommand(lsCommand(invoke), { isDefault: true })
    .addCommand(showCommand(invoke))
    .addCommand(testCommand(invoke));
}

function lsCommand(invoke: Invoke): Command {
  return new Command("ls").description("list them").action(() =>
    invoke(async (invocation) => {
      const answer = await withOperations(invocation, ({ operations }) => operations.skills());
      invocation.terminal.answer(answer, {
        columns: {
          skills: ["name", "version", "stands", "runs", "meanReward", "cases", "description"],
        },
        hidden: ["uncommitted", "problems"],
        empty: { skills: noSkills(answer) },
      });
      if (!invocation.terminal.isJson) tellUncommitted(answer, invocation.terminal);
      return 0;
    }),
  );
}

function showCommand(invoke: Invoke): Command {
  return new Command("show")
    .description("one skill: its contract, capabilities, source and cases")
    .argument("<name>", "name of the skill")
    .action((name: string) =>
      invoke(async (invocation) => {
        const answer = await withOperations(invocation, ({ operations }) =>
          operations.skill({ name }),
        );
        invocation.terminal.answer(answer, {
          json: ["inputSchema", "outputSchema", "args", "expectation"],
        });
        return 0;
      }),
    );
}

function testCommand(invoke: Invoke): Command {
  return new Command("test")
    .description("run the regression cases; exits 1 when one fails")
    .argument("[name]", "one skill; default: all")
    .action((name: string | undefined) =>
      invoke(async (invocation) => {
        const { answer, known } = await withOperations(invocation, async ({ operations }) => ({
          answer: await operations.test(name === undefined ? {} : { name }),
          known: await operations.skills(),
        }));
        invocation.terminal.answer(answer, {
          columns: { skills: ["name", "passed", "failed"], failures: ["skill", "case", "reason"] },
        });
        tellUncommitted(known, invocation.terminal, name);
        return answer["failed"] === 0 ? 0 : 1;
      }),
    );
}
