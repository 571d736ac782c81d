import sax from 'sax'
import { cleanText } from './normal-fields.ts'

/** Larger packets are not parsed. */
const MAX_XMP_BYTES = 4 * 1024 * 1024
const MAX_PROPERTIES = 500
const MAX_DEPTH = 64

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

/** The usual prefixes. A file may call them otherwise. */
const prefixes: Record<string, string> = {
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://ns.adobe.com/exif/1.0/': 'exif',
  'http://ns.adobe.com/tiff/1.0/': 'tiff',
  'http://ns.adobe.com/xap/1.0/': 'xmp',
  'http://ns.adobe.com/photoshop/1.0/': 'photoshop',
  'http://ns.adobe.com/lightroom/1.0/': 'lr',
  'http://www.digikam.org/ns/1.0/': 'digiKam',
  'http://iptc.org/std/Iptc4xmpExt/2008-02-29/': 'Iptc4xmpExt',
  'https://github.com/Comfy-Org/ComfyUI': 'comfy',
}

const ignored = new Set(['xmlns', 'xml', 'x', 'rdf'])

interface Name {
  prefix: string
  local: string
  uri: string
}

/** Returns a property's name, such as `dc:description`. null: the name belongs to the syntax. */
const propertyOf = ({ prefix, local, uri }: Name): string | null => {
  if (uri === RDF || ignored.has(prefix) || prefix === '') return null
  return `${prefixes[uri] ?? prefix}:${local}`
}

const decode = (bytes: Uint8Array): string => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.toString('utf16le')
  return buffer.toString('utf8')
}

/**
 * Reads the properties of an XMP packet, written as attributes or as elements. Values of a list are joined; of
 * alternatives in several languages, the first counts. A broken packet yields the properties before the fault.
 */
export const readXmp = (bytes: Uint8Array | null | undefined): Map<string, string> =>
  new Map([...readXmpLists(bytes)].map(([name, values]) => [name, values.join(', ')]))

/** Reads the properties of an XMP packet like `readXmp`, with the values of each list. */
export const readXmpLists = (bytes: Uint8Array | null | undefined): Map<string, string[]> => {
  const properties = new Map<string, string[]>()
  if (!bytes || bytes.length > MAX_XMP_BYTES) return properties
  const add = (name: string | null, values: readonly string[]) => {
    const texts = values.map((value) => cleanText(value).trim()).filter((text) => text !== '')
    if (name === null || texts.length === 0 || properties.has(name)) return
    if (properties.size < MAX_PROPERTIES) properties.set(name, texts)
  }
  // Elements that are open: the property of each, and the values found in it.
  const open: { name: string | null; values: string[]; isChoice: boolean }[] = []
  let text = ''
  const parser = sax.parser(true, { xmlns: true })
  parser.onopentag = (tag) => {
    text = ''
    if (!('local' in tag) || open.length === MAX_DEPTH) throw new Error('too deep')
    for (const attribute of Object.values(tag.attributes)) {
      if (typeof attribute === 'object') add(propertyOf(attribute), [attribute.value])
    }
    const isChoice = tag.uri === RDF && tag.local === 'Alt'
    open.push({ name: propertyOf(tag), values: [], isChoice })
  }
  parser.ontext = (part) => {
    text += part
  }
  parser.oncdata = (part) => {
    text += part
  }
  parser.onclosetag = () => {
    const element = open.pop()
    if (element === undefined) return
    if (text.trim() !== '') element.values.push(text.trim())
    text = ''
    const values = element.isChoice ? element.values.slice(0, 1) : element.values
    if (element.name !== null) add(element.name, values)
    else open.at(-1)?.values.push(...values.slice(0, MAX_PROPERTIES))
  }
  // Stops at the first fault. A hostile packet could have a million of them.
  parser.onerror = (error) => {
    throw error
  }
  try {
    parser.write(decode(bytes)).close()
  } catch {
    // Keeps what came before the fault.
  }
  return properties
}
