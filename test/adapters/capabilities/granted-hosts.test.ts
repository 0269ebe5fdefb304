import assert from "node:assert/strict";
import { test } from "node:test";
import { isGrantedUrl } from "../../../src/adapters/capabilities/granted-hosts.ts";

function grants(entry: string, url: string): boolean {
  return isGrantedUrl(new URL(url), [entry]);
}

test("a host is granted on the default ports of http and https", () => {
  assert.ok(grants("api.test", "https://api.test/x"));
  assert.ok(grants("api.test", "http://api.test:80/x"));
  assert.ok(grants("API.test", "https://Api.TEST/"));
  assert.ok(!grants("api.test", "https://api.test:8443/"));
  assert.ok(!grants("api.test", "https://sub.api.test/"));
  assert.ok(!grants("api.test", "https://evil-api.test/"));
  assert.ok(!grants("api.test", "https://api.test.evil.test/"));
});

test("a port is granted only where it is named", () => {
  assert.ok(grants("127.0.0.1:8080", "http://127.0.0.1:8080/"));
  assert.ok(!grants("127.0.0.1:8080", "http://127.0.0.1:8081/"));
  assert.ok(grants("api.test:443", "https://api.test/"));
  assert.ok(!grants("api.test:443", "http://api.test/"));
  assert.ok(grants("[::1]:80", "http://[::1]/"));
});

test("a wildcard grants what is below the domain, not the domain itself", () => {
  assert.ok(grants("*.api.test", "https://eu.api.test/"));
  assert.ok(grants("*.api.test", "https://a.b.api.test/"));
  assert.ok(!grants("*.api.test", "https://api.test/"));
  assert.ok(!grants("*.api.test", "https://evilapi.test/"));
  assert.ok(!grants("*.api.test", "https://eu.api.test:444/"));
  assert.ok(grants("*.api.test:444", "https://eu.api.test:444/"));
});

test("other protocols and nonsense are never granted", () => {
  assert.ok(!grants("api.test", "ftp://api.test/"));
  assert.ok(!grants("api.test", "data:text/plain,x"));
  assert.ok(!grants("api.test/path", "https://api.test/path"));
  assert.ok(!grants("user@api.test", "https://api.test/"));
  assert.ok(!grants("*", "https://api.test/"));
  assert.ok(!grants("*.", "https://api.test/"));
  assert.ok(!grants("", "https://api.test/"));
});

test("another spelling of an address is the same address", () => {
  assert.ok(grants("127.0.0.1:8080", "http://0x7f.1:8080/"));
  assert.ok(grants("münchen.test", "https://xn--mnchen-3ya.test/"));
});
