import { modelCallsInMemory } from "../../../src/adapters/sqlite/calls-in-memory.ts";
import { openStore } from "../../../src/adapters/sqlite/sqlite-store.ts";
import { modelCallsContract } from "../../contracts/model-calls.contract.ts";

modelCallsContract("SQLite", () => openStore(":memory:"));
modelCallsContract("in memory", () => modelCallsInMemory());
