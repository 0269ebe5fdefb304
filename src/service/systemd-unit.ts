import type { Service } from "./service-facts.ts";
import { commandLine, describedText, quotedWord } from "./systemd-quote.ts";

/** How long the daemon may take until it answers, in seconds; a ledger may have to be recovered. */
const READY_S = 60;

/**
 * A unit for systemd 240 or newer. systemd.service(5): the manager waits until `hone wait` hears the
 * daemon, because Node cannot speak its notify protocol, and starts it again after a failure, without
 * giving up: the daemon itself falls back to what worked when it keeps failing. Settings that cannot
 * be right (exit code 2) and a workspace that is gone (6) are not tried again.
 */
export function systemdUnit(service: Service): string {
  const sections = [unitSection(service), serviceSection(service), installSection(service)];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function unitSection({ scope, workspace }: Service): readonly string[] {
  const network = ["Wants=network-online.target", "After=network-online.target docker.service"];
  return [
    "[Unit]",
    `Description=hone in ${describedText(workspace)}`,
    ...(scope === "system" ? network : []),
    "StartLimitIntervalSec=0",
  ];
}

function serviceSection(service: Service): readonly string[] {
  return [
    "[Service]",
    "Type=exec",
    `ExecStart=${command(service, "run")}`,
    `ExecStartPost=${command(service, "wait", "--timeout", String(READY_S))}`,
    `ExecReload=${command(service, "reload")}`,
    `TimeoutStartSec=${READY_S + 10}`,
    "Restart=on-failure",
    "RestartSec=3",
    "RestartPreventExitStatus=2 6",
    // It drains within 10 s; its guests and its model end with it.
    "TimeoutStopSec=15",
    "KillMode=mixed",
    // A guest that is killed for its memory is the daemon's own affair.
    "OOMPolicy=continue",
    ...environment(service),
    ...rights(service),
    ...(service.scope === "system" || service.canWall ? walls(service) : []),
  ];
}

function command({ launcher, workspace }: Service, ...words: readonly string[]): string {
  return commandLine([launcher, "--workspace", workspace, ...words]);
}

function environment({ scope, name, path, user }: Service): readonly string[] {
  const cache = [`CacheDirectory=hone/${name}`, `Environment=NODE_COMPILE_CACHE=%C/hone/${name}`];
  const common = [
    `Environment=${quotedWord(`PATH=${path}`)}`,
    // Keys of a model belong into a file that only its owner reads, not into the unit.
    "EnvironmentFile=-%E/hone/environment",
    ...cache,
  ];
  if (scope === "user") return common;
  return [
    ...common,
    `User=${quotedWord(user)}`,
    `StateDirectory=hone/${name}`,
    `Environment=HOME=%S/hone/${name}`,
  ];
}

/** Limits, and what every process can be denied. There is no MemoryDenyWriteExecute: V8 compiles. */
function rights({ holdsModel }: Service): readonly string[] {
  return [
    ...(holdsModel ? [] : ["MemoryMax=4G"]),
    "TasksMax=1024",
    "UMask=0027",
    "NoNewPrivileges=yes",
    "LockPersonality=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "RestrictNamespaces=yes",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged",
    "SystemCallErrorNumber=EPERM",
  ];
}

/** The file system as the service sees it: read-only but for the workspace and what goes with it. */
function walls(service: Service): readonly string[] {
  const { scope, workspace, alsoWritten, isInHome, isInTmp, holdsModel } = service;
  // A person's manager has no rights of its own: it needs a user namespace for all that follows.
  const first = scope === "user" ? "PrivateUsers=yes" : "RemoveIPC=yes";
  const others = [...alsoWritten, ...(isInTmp ? ["/tmp", "/var/tmp"] : [])];
  const written = [workspace, ...others.map((folder) => `-${folder}`)];
  return [
    first,
    "CapabilityBoundingSet=",
    "AmbientCapabilities=",
    "ProtectSystem=strict",
    `ProtectHome=${isInHome || scope === "user" ? "read-only" : "yes"}`,
    `ReadWritePaths=${written.map(quotedWord).join(" ")}`,
    ...(isInTmp ? [] : ["PrivateTmp=yes"]),
    ...(holdsModel ? [] : ["PrivateDevices=yes"]),
    "ProtectProc=invisible",
    "ProtectClock=yes",
    "ProtectControlGroups=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "KeyringMode=private",
  ];
}

function installSection({ scope }: Service): readonly string[] {
  return ["[Install]", `WantedBy=${scope === "user" ? "default" : "multi-user"}.target`];
}
