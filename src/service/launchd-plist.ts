import path from "node:path";
import type { Service } from "./service-facts.ts";

/** A key with what stands for its value. */
type Entry = readonly [key: string, value: string];

/**
 * A property list for launchd (launchd.plist(5)): started at login or with the machine, and again
 * after a failure, not after `hone stop`. It has no walls: macOS offers a service none.
 */
export function launchdPlist(service: Service): string {
  const { scope, name, launcher, workspace, user } = service;
  const log = path.join(workspace, "data", "run", "service.log");
  const entries: readonly Entry[] = [
    ["Label", string(labelOf(name))],
    ["ProgramArguments", array([launcher, "--workspace", workspace, "run"])],
    ["EnvironmentVariables", dictionary([["PATH", string(service.path)]])],
    ...(scope === "system" ? [["UserName", string(user)] as const] : []),
    ["RunAtLoad", "<true/>"],
    ["KeepAlive", dictionary([["SuccessfulExit", "<false/>"]])],
    ["ThrottleInterval", "<integer>5</integer>"],
    ["ExitTimeOut", "<integer>15</integer>"],
    ["ProcessType", string("Background")],
    ["Umask", "<integer>23</integer>"],
    ["StandardOutPath", string(log)],
    ["StandardErrorPath", string(log)],
  ];
  return `${HEAD}\n<plist version="1.0">\n${dictionary(entries)}\n</plist>\n`;
}

/** By what launchd knows the service. */
export function labelOf(name: string): string {
  return `dev.hone.${name.replace(/^hone-/, "")}`;
}

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">`;

function dictionary(entries: readonly Entry[]): string {
  const lines = entries.map(([key, value]) => `<key>${key}</key>\n${value}`);
  return `<dict>\n${lines.join("\n")}\n</dict>`;
}

function array(values: readonly string[]): string {
  return `<array>\n${values.map(string).join("\n")}\n</array>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function string(value: string): string {
  return `<string>${value.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign)}</string>`;
}
