import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { boundary, HoneError } from "../domain/errors.ts";
import type { Manager, ManagerState } from "./service-manager.ts";
import { marked, whose } from "./marked-text.ts";
import type { Service } from "./service-facts.ts";

/** What `install` did. */
export type Installed = {
  readonly name: string;
  readonly file: string;
  readonly change: "written" | "replaced" | "unchanged";
  /** Whether the manager keeps it now. */
  readonly isStarted: boolean;
};

export type ServiceState = {
  readonly name: string;
  readonly file: string;
  /** `outdated`: what would be written now is different; `changed`: a person changed it. */
  readonly unit: "missing" | "current" | "outdated" | "changed" | "another's";
  /** Null where there is no file or no manager to ask. */
  readonly manager: ManagerState | null;
};

/** The file of a service, with the mark by which hone knows it again. */
export function fileText(service: Service, manager: Manager): string {
  return marked(manager.text(service), service.workspace, manager.comment);
}

/**
 * Writes the service's file, unless it stands there just so, and has the manager start it now and
 * always. What hone did not write, or a person changed, is left as it is: throws `refused`.
 */
export async function installService(
  service: Service,
  manager: Manager,
  { isStarted }: { readonly isStarted: boolean },
): Promise<Installed> {
  const { name } = service;
  const file = manager.fileOf(name);
  const before = await textOf(file);
  const text = fileText(service, manager);
  const change = before === null ? "written" : before === text ? "unchanged" : "replaced";
  if (change !== "unchanged") {
    refuseForeign(before, service, manager);
    await put(file, text);
  }
  const canStart = isStarted && manager.isHere;
  if (canStart) await manager.start(name, change === "replaced");
  return { name, file, change, isStarted: canStart };
}

/** Ends the service and takes its file away, where hone wrote it. False: there is none. */
export async function uninstallService(service: Service, manager: Manager): Promise<boolean> {
  const file = manager.fileOf(service.name);
  const before = await textOf(file);
  if (before === null) return false;
  refuseForeign(before, service, manager);
  if (manager.isHere) await manager.stop(service.name);
  await fileWork(file, () => rm(file));
  if (manager.isHere) await manager.forget();
  return true;
}

/** How the service is, by its file and by the manager's word. */
export async function serviceState(service: Service, manager: Manager): Promise<ServiceState> {
  const { name, workspace } = service;
  const file = manager.fileOf(name);
  const text = await textOf(file);
  const found = whose(text);
  const isKnown = text !== null && manager.isHere;
  return {
    name,
    file,
    unit:
      found.kind === "none"
        ? "missing"
        : found.kind === "another's" || found.workspace !== workspace
          ? "another's"
          : found.kind === "changed"
            ? "changed"
            : text === fileText(service, manager)
              ? "current"
              : "outdated",
    manager: isKnown ? await manager.state(name) : null,
  };
}

function refuseForeign(
  before: string | null,
  { name, workspace }: Service,
  manager: Manager,
): void {
  const found = whose(before);
  const file = manager.fileOf(name);
  if (found.kind === "none") return;
  if (found.kind === "another's") {
    throw new HoneError("refused", `${file} is not hone's, and stays as it is`, {
      hint: "Give this service another name: --name.",
    });
  }
  if (found.workspace !== workspace) {
    throw new HoneError("refused", `${file} is the service of ${found.workspace}`, {
      hint: "Give this one another name: --name.",
    });
  }
  if (found.kind === "changed") {
    throw new HoneError("refused", `${file} has been changed by hand, and stays as it is`, {
      hint: `Take the file away, and keep changes in a file of their own: ${manager.commands(name).edit}`,
    });
  }
}

async function textOf(file: string): Promise<string | null> {
  return await fileWork(file, async () => {
    try {
      return await readFile(file, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  });
}

/** Whole or not at all: a manager may read it at any time. */
async function put(file: string, text: string): Promise<void> {
  await fileWork(file, async () => {
    await mkdir(path.dirname(file), { recursive: true });
    const beside = `${file}.${randomBytes(6).toString("hex")}.tmp`;
    await writeFile(beside, text, { mode: 0o644, flag: "wx" });
    await rename(beside, file);
  });
}

async function fileWork<T>(file: string, work: () => Promise<T>): Promise<T> {
  const hint =
    "A service of the machine is installed by root: `sudo hone service install --system`.";
  return await boundary({ code: "store-failed", retryable: false, hint }, file, work);
}
