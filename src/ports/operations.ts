import type { Json, JsonObject } from "../domain/json.ts";

/**
 * What can be asked of a workspace: by the command line on the workspace itself, or through the
 * daemon's socket. Every answer is plain JSON, printed as it is with --json. Throws HoneError.
 */
export interface Operations {
  call(request: { skill: string; input: JsonObject; expect?: Json }): Promise<JsonObject>;
  submit(request: { tasks: readonly JsonObject[] }): Promise<JsonObject>;
  task(request: { id: string }): Promise<JsonObject>;
  improve(request: { skill: string }): Promise<JsonObject>;
  skills(): Promise<JsonObject>;
  skill(request: { name: string }): Promise<JsonObject>;
  test(request: { name?: string }): Promise<JsonObject>;
  status(): Promise<JsonObject>;
  incidents(request: { skill?: string; all?: boolean }): Promise<JsonObject>;
  log(request: { skill: string }): Promise<JsonObject>;
  diff(request: { skill: string; from?: string; to?: string }): Promise<JsonObject>;
  why(request: { skill: string }): Promise<JsonObject>;
  rollback(request: { skill: string; by: string }): Promise<JsonObject>;
  approve(request: { candidate: string; by: string }): Promise<JsonObject>;
  reject(request: { candidate: string; by: string }): Promise<JsonObject>;
  verify(request: { commit: string }): Promise<JsonObject>;
  buildSandbox(request: object): Promise<JsonObject>;
}
