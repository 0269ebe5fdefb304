import type { ContainerCreateOptions, HostConfig } from "dockerode";

/** The client's types lack a member that its engines have had since API 1.41. */
type FullHostConfig = HostConfig & { readonly CgroupnsMode: "private" };

export type ContainerSpec = {
  /** Digest of the image. */
  readonly image: string;
  readonly command: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** The user and group that it runs as; not root. */
  readonly uid: number;
  readonly memoryMb: number;
  /** Of the engine, such as `runsc`; empty: its own choice. */
  readonly runtime: string;
};

const MB = 2 ** 20;

/** Memory, in MB, that a container has for programs with the usual limit. */
export const USUAL_MEMORY_MB = 256;

/**
 * A user of its own: limits on processes are counted by user, over all containers and the machine.
 * The range is the one that systemd keeps for passing users, so that no account is met, and it is
 * below 65536, which is as far as the users of rootless engines go.
 */
export function passingUid(random: () => number = Math.random): number {
  return 61_184 + Math.floor(random() * (65_519 - 61_184));
}

/** Everything that a container may not do, in one place. Nothing of the host is mounted. */
export function createOptions(spec: ContainerSpec): ContainerCreateOptions {
  const { image, command, labels, uid } = spec;
  const owner = `${uid}:${uid}`;
  return {
    Image: image,
    Cmd: [...command],
    Entrypoint: [],
    Env: [],
    WorkingDir: "/",
    User: owner,
    Labels: { ...labels },
    NetworkDisabled: true,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    HostConfig: hostConfig(spec),
  };
}

function hostConfig({ uid, memoryMb, runtime }: ContainerSpec): FullHostConfig {
  const scratch = `rw,noexec,nosuid,nodev,size=16m,nr_inodes=1024,uid=${uid},gid=${uid},mode=700`;
  return {
    NetworkMode: "none",
    ReadonlyRootfs: true,
    Tmpfs: { "/scratch": scratch },
    CapDrop: ["ALL"],
    // The engine's own seccomp profile stays.
    SecurityOpt: ["no-new-privileges:true"],
    PidsLimit: 64,
    Memory: memoryMb * MB,
    MemorySwap: memoryMb * MB,
    NanoCpus: 1e9,
    Ulimits: [
      { Name: "nofile", Soft: 256, Hard: 256 },
      { Name: "nproc", Soft: 64, Hard: 64 },
      { Name: "fsize", Soft: 16 * MB, Hard: 16 * MB },
      { Name: "core", Soft: 0, Hard: 0 },
      { Name: "cpu", Soft: 30, Hard: 31 },
    ],
    IpcMode: "none",
    CgroupnsMode: "private",
    Init: true,
    // The exit code would go with it.
    AutoRemove: false,
    RestartPolicy: { Name: "no" },
    LogConfig: { Type: "none", Config: {} },
    ...(runtime === "" ? {} : { Runtime: runtime }),
  };
}
