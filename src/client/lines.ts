/** The JSON lines of an answer, each as soon as it is whole. Leaving the loop early hangs up. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split('\n')
      rest = done ? '' : (lines.pop() ?? '')
      for (const line of lines) {
        if (line.trim() !== '') yield JSON.parse(line)
      }
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
