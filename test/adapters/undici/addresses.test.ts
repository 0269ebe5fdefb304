import assert from "node:assert/strict";
import { test } from "node:test";
import { forbiddenKind } from "../../../src/adapters/undici/addresses.ts";

const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
  "cloud metadata": [
    "169.254.169.254",
    "169.254.170.2",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "64:ff9b::a83f:8110",
    "100.100.100.200",
    "::ffff:6464:64c8",
    "192.0.0.192",
    "fd00:ec2::254",
    "FD00:0EC2:0:0::254",
    "fd20:ce::254",
    "fe80::a9fe:a9fe%eth0",
  ],
  "link-local": ["169.254.169.253", "fe80::1", "fe80::1%eth0", "febf::1", "::ffff:169.254.1.1"],
  private: [
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "fc00::1",
    "fd12:3456::1",
    "::ffff:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::c0a8:101",
    "64:ff9b:1::1",
  ],
  reserved: [
    "0.0.0.0",
    "0.1.2.3",
    "192.0.0.8",
    "198.18.0.1",
    "203.0.113.7",
    "255.255.255.255",
    "::",
    "::7f00:1",
    "2001:db8::1",
    "64:ff9b::",
    "4000::1",
  ],
  multicast: ["224.0.0.1", "239.1.1.1", "ff02::1"],
  tunnel: ["2002:7f00:1::", "2001:0:53aa::1"],
  "no address": ["", "localhost", "1.2.3", "0x7f.1", "2130706433"],
};

for (const [kind, addresses] of Object.entries(FORBIDDEN)) {
  test(`${kind}: ${addresses.join(" ")}`, () => {
    for (const address of addresses) assert.equal(forbiddenKind(address), kind, address);
  });
}

test("addresses of the public internet may be reached, inside of others too", () => {
  const open = [
    "1.1.1.1",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "192.0.1.1",
    "2606:4700::1111",
    "2a00::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "64:ff9b::808:808",
  ];
  for (const address of open) assert.equal(forbiddenKind(address), null, address);
});
