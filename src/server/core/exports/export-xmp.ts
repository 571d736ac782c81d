import type { ImageToExport, XmpSidecar } from './export-ports.ts'

/** An XMP sidecar is named like its image plus this extension, as by digiKam and darktable. */
export const XMP_EXTENSION = '.xmp'

/** Tells our sidecars from those of other programs, which are never replaced. */
export const XMP_MARK = 'x:xmptk="Tessera"'

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const list = (property: string, values: Iterable<string>): string => {
  const items = [...values].map((value) => `     <rdf:li>${escapeXml(value)}</rdf:li>\n`)
  return `   <${property}>\n    <rdf:Bag>\n${items.join('')}    </rdf:Bag>\n   </${property}>\n`
}

/** Returns the rating and the tags of an image as XMP, which photo programs read. */
export const xmpOf = ({ rating, tags }: Pick<ImageToExport, 'rating' | 'tags'>): XmpSidecar => {
  const levels = new Set(tags.flatMap((tag) => tag.split('/')))
  const paths = tags.map((tag) => tag.replaceAll('|', '/').split('/').join('|'))
  const text = `<x:xmpmeta xmlns:x="adobe:ns:meta/" ${XMP_MARK}>
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
    xmp:Rating="${rating}">
${tags.length === 0 ? '' : list('dc:subject', levels) + list('lr:hierarchicalSubject', paths)}  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
`
  return { text, isEmpty: rating === 0 && tags.length === 0 }
}
