import type { Json } from "../../domain/json.ts";
import { resolved, type Reply } from "./answering.ts";
import type { KvWish } from "./request-args.ts";

/** The key-value state that one call sees. */
export type KvState = {
  get(key: string): Json | undefined;
  set(key: string, value: Json): void;
  delete(key: string): void;
  list(prefix: string): readonly string[];
};

/** Does what a kv request wishes, at once. Throws what the state throws. */
export function replyFromKv(wish: KvWish, kv: KvState): Reply {
  switch (wish.kind) {
    case "kv.get":
      return resolved(kv.get(wish.key) ?? null);
    case "kv.set":
      kv.set(wish.key, wish.value);
      return resolved(null);
    case "kv.delete":
      kv.delete(wish.key);
      return resolved(null);
    case "kv.list":
      return resolved(kv.list(wish.prefix));
  }
}
