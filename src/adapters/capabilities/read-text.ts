/**
 * The UTF-8 text of a body, as Response.text() reads it; null, and the body cancelled, when it is
 * larger than `most` bytes after decompression. Rejects when the stream breaks off.
 */
export async function readText(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
): Promise<string | null> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > most) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
