// throws a proxy whose every answer is another endless loop
function skill(input) {
  throw new Proxy(new Error("x"), { get() { for (;;); }, getPrototypeOf() { for (;;); }, getOwnPropertyDescriptor() { for (;;); } });
}
