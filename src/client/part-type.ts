const typeByExtension: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  heic: 'image/heic',
  svg: 'image/svg+xml',
}

/**
 * The media type of a file's part, which must say that it is an image (wire 2.2): what the platform
 * knows, else what the name tells, else PNG. The server looks at the bytes themselves.
 */
export const partTypeOf = (bytes: Blob, fileName: string): string => {
  if (bytes.type !== '') return bytes.type
  const dot = fileName.lastIndexOf('.')
  if (dot < 0) return 'image/png'
  return typeByExtension[fileName.slice(dot + 1).toLowerCase()] ?? 'application/octet-stream'
}
