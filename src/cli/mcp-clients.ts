import path from "node:path";
import type { JsonObject } from "../domain/json.ts";

/** How a program is started, as clients write it down. */
export type ServerEntry = { readonly command: string; readonly args: readonly string[] };

/** An MCP client that keeps its servers in a file. */
export type McpClient = {
  readonly name: string;
  readonly format: "json" | "toml";
  /** The file for all projects of a user. */
  readonly file: (at: Places) => string;
  /** The same of one project; null where the client has none. */
  readonly projectFile: string | null;
  /** Member of the file that holds the servers by name. */
  readonly key: string;
  readonly entry: (server: ServerEntry) => JsonObject;
};

/** Where the user's files are on this machine. */
type Places = {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
};

const plain = ({ command, args }: ServerEntry): JsonObject => ({ command, args: [...args] });
const typed = (server: ServerEntry): JsonObject => ({ type: "stdio", ...plain(server) });

/** The clients that hone knows, by the names that they go by. */
export const MCP_CLIENTS: readonly McpClient[] = [
  {
    name: "claude-code",
    format: "json",
    file: ({ home, env }) => path.join(env["CLAUDE_CONFIG_DIR"] ?? home, ".claude.json"),
    projectFile: ".mcp.json",
    key: "mcpServers",
    entry: typed,
  },
  {
    name: "claude-desktop",
    format: "json",
    file: (at) => path.join(configOf(at), "Claude", "claude_desktop_config.json"),
    projectFile: null,
    key: "mcpServers",
    entry: plain,
  },
  {
    name: "codex",
    format: "toml",
    file: ({ home, env }) =>
      path.join(env["CODEX_HOME"] ?? path.join(home, ".codex"), "config.toml"),
    projectFile: ".codex/config.toml",
    key: "mcp_servers",
    entry: plain,
  },
  {
    name: "cursor",
    format: "json",
    file: ({ home }) => path.join(home, ".cursor", "mcp.json"),
    projectFile: ".cursor/mcp.json",
    key: "mcpServers",
    entry: plain,
  },
  {
    name: "vscode",
    format: "json",
    file: (at) => path.join(configOf(at), "Code", "User", "mcp.json"),
    projectFile: ".vscode/mcp.json",
    key: "servers",
    entry: typed,
  },
  {
    name: "windsurf",
    format: "json",
    file: ({ home }) => path.join(home, ".codeium", "windsurf", "mcp_config.json"),
    projectFile: null,
    key: "mcpServers",
    entry: plain,
  },
  {
    name: "gemini-cli",
    format: "json",
    file: ({ home }) => path.join(home, ".gemini", "settings.json"),
    projectFile: ".gemini/settings.json",
    key: "mcpServers",
    entry: plain,
  },
  {
    name: "zed",
    format: "json",
    file: ({ home, env }) =>
      path.join(env["XDG_CONFIG_HOME"] ?? path.join(home, ".config"), "zed", "settings.json"),
    projectFile: ".zed/settings.json",
    key: "context_servers",
    entry: plain,
  },
  {
    name: "opencode",
    format: "json",
    file: ({ home, env }) =>
      path.join(env["XDG_CONFIG_HOME"] ?? path.join(home, ".config"), "opencode", "opencode.json"),
    projectFile: "opencode.json",
    key: "mcp",
    entry: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
  },
  {
    name: "lm-studio",
    format: "json",
    file: ({ home }) => path.join(home, ".lmstudio", "mcp.json"),
    projectFile: null,
    key: "mcpServers",
    entry: plain,
  },
];

/** Where programs of this system keep their settings. */
function configOf({ home, platform, env }: Places): string {
  if (platform === "darwin") return path.join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] ?? path.join(home, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] ?? path.join(home, ".config");
}
