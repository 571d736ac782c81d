import type { FoundMetadata } from '#server/storage/metadata/found-metadata.ts'
import { isObject } from '#server/storage/metadata/parse-embedded-json.ts'

const graphIn = (value: unknown): Record<string, unknown> | null =>
  isObject(value) && Object.values(value).some((node) => isObject(node) && 'class_type' in node)
    ? value
    : null

/** Returns the executed graph: the text `prompt`, or a comment that is a graph or contains one. */
export const findComfyuiGraph = ({
  texts,
  blocks,
  json,
}: FoundMetadata): Record<string, unknown> | null => {
  const prompt = json(texts.get('prompt'))
  if (prompt !== null) return prompt
  for (const block of blocks) {
    const values = block.includes('class_type') ? json(block) : null
    // Some programs embed the graph as JSON text inside of JSON.
    const inner = typeof values?.prompt === 'string' ? json(values.prompt) : values?.prompt
    const graph = graphIn(values) ?? graphIn(inner)
    if (graph !== null) return graph
  }
  return null
}
