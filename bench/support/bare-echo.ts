import { createServer } from "node:http";

/** A process of its own that gives each request back: the least that an HTTP exchange can be. */
const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  request.pipe(response);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" ? address?.port : "");
});
process.stdin.resume().on("end", () => process.exit(0));
