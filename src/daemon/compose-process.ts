// What those who look for a daemon need to know of processes, apart from compose.ts: they would wait
// for all that it loads.
export { startOf } from "../adapters/model-server/process-table.ts";
