import assert from "node:assert/strict";
import path from "node:path";
import type { TestContext } from "node:test";
import { retryingStore } from "../../../src/adapters/sqlite/retrying-store.ts";
import { openStore } from "../../../src/adapters/sqlite/sqlite-store.ts";
import type { Store } from "../../../src/ports/store.ts";
import { storeContract, type StoreUnderTest } from "../../contracts/store.contract.ts";
import { temporaryFolder } from "../../support/ledger.ts";

function makeWith(decorate: (store: Store) => Store): (t: TestContext) => StoreUnderTest {
  return (t) => {
    const file = path.join(temporaryFolder(t), "hone.db");
    const open = (): Store => {
      const store = decorate(openStore(file, { now: () => 1_000 }));
      t.after(() => store[Symbol.dispose]());
      return store;
    };
    return { store: open(), reopen: open };
  };
}

storeContract(
  "sqlite",
  makeWith((store) => store),
);
storeContract(
  "sqlite, retrying",
  makeWith((store) =>
    retryingStore(store, { onFailure: (what, error) => assert.ok(what !== "" && error.message) }),
  ),
);
