import type { Hono } from "hono";

/**
 * Adds routes to the daemon's HTTP interface: the MCP endpoint, the dashboard, metrics. It is called
 * once, behind the guards of both doors, so that whoever reaches its routes may.
 */
export type Mount = (app: Hono) => void;
