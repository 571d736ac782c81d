import { readFileSync, readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { initSync, JxlImage } from 'jxl-oxide-wasm'

// A thread for one file: its end frees the memory of the decoder, which WebAssembly never gives back, and a fault in the
// decoder leaves no broken state behind.

const READ_BYTES = 64 * 1024

initSync({ module: readFileSync(fileURLToPath(import.meta.resolve('jxl-oxide-wasm/module.wasm'))) })
const image = new JxlImage()
image.forceSrgb = true
const block = Buffer.alloc(READ_BYTES)

/** Hands the next part of the file to the decoder. Returns false at the end of the file. */
const feed = (): boolean => {
  const length = readSync(workerData.fd, block)
  if (length > 0) image.feedBytes(block.subarray(0, length))
  return length > 0
}

let isReady = false
while (!isReady && feed()) isReady = image.tryInit()
if (!isReady) throw new Error('The JPEG XL file has no header.')
parentPort?.postMessage({ width: image.width, height: image.height })

parentPort?.once('message', () => {
  while (!image.loaded && feed());
  if (!image.loaded) throw new Error('The JPEG XL file is cut off.')
  parentPort?.postMessage(image.render().encodeToPng())
})
