/** Whose manager keeps the service: one person's, while they are logged in or linger, or the machine's. */
export type Scope = "user" | "system";

/** A daemon that a service manager is to keep: all that its unit says of this machine and workspace. */
export type Service = {
  readonly scope: Scope;
  /** `hone-<name of the folder>`, in letters that every manager takes. */
  readonly name: string;
  /** Absolute path of the workspace, without symbolic links. */
  readonly workspace: string;
  /** The command `hone`, as an absolute path. */
  readonly launcher: string;
  /** Where programs are found: Node first, then git and what the system has. */
  readonly path: string;
  /** Who owns the workspace, for a service of the machine. */
  readonly user: string;
  /** Other folders that releases are written to: a repository above, other work trees. */
  readonly alsoWritten: readonly string[];
  /** Whether something that it reads or writes lies in a person's home. */
  readonly isInHome: boolean;
  /** The same of /tmp, where the socket is when the workspace's path is too long for one. */
  readonly isInTmp: boolean;
  /** Whether a process without rights may make namespaces; a person's manager needs them for walls. */
  readonly canWall: boolean;
  /** A model runs inside: its weights need memory beyond any limit of ours, and a GPU its devices. */
  readonly holdsModel: boolean;
};

/** Longest name of the workspace's folder within the service's name. */
const LONGEST = 60;

/** The name of a workspace's service, by the last part of its path. */
export function serviceName(workspace: string): string {
  const folder = workspace.split("/").at(-1) ?? "";
  const plain = folder.replace(/[^A-Za-z0-9_.]+/g, "-").replace(/^[-.]+|[-.]+$/g, "");
  return `hone-${plain === "" ? "workspace" : plain.slice(0, LONGEST)}`;
}
