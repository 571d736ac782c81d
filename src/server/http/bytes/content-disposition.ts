/** Characters that are invalid in the header or disguise a name: controls and direction marks. */
const unsafe = /[\p{Cc}\p{Cf}"\\/:*?<>|]/gu

/** Returns a `Content-Disposition` header: the name in ASCII for old clients and in UTF-8 (RFC 6266). */
export function contentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  const name = fileName.toWellFormed().replace(unsafe, '_')
  const ascii = name.replace(/[^\x20-\x7e]/g, '_')
  const plain = `${kind}; filename="${ascii}"`
  if (ascii === name) return plain
  const encoded = encodeURIComponent(name).replace(
    /['()]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )
  return `${plain}; filename*=UTF-8''${encoded}`
}
