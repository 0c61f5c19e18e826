/** Splits a stream of bytes into lines and parses each as JSON; throws SyntaxError on a line that is not JSON. */
export async function* jsonLines<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<T> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n')
    if (end === -1) {
      rest += text
      continue
    }
    const lines = (rest + text.slice(0, end)).split('\n')
    rest = text.slice(end + 1)
    for (const line of lines) if (line !== '') yield JSON.parse(line) as T
  }
  // Text after the last newline was cut off when the stream ended.
}
