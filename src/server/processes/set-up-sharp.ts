import sharp from 'sharp'

/** The loaders of the formats that are taken in. SVG, PDF and the rest stay shut. */
const loaders = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map(
  (loader) => `VipsForeignLoad${loader}`,
)

/** Sets sharp up for this whole process: each process that reads files of the library does so at its start. */
export function setUpSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  // Several pictures at once, one thread each, beat one picture on all threads; nothing is read twice.
  sharp.concurrency(1)
  sharp.cache(false)
}
