/** Splits a stream of bytes into lines and parses each as JSON; a line that is no JSON throws a SyntaxError. */
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
  // What follows the last newline was cut off by the end of the stream.
}
