import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { ImageRecord } from '#contract/image.ts'
import type { EngineLibrary, NewPicture } from '#server/core/queue/engine-ports.ts'
import { imageRecord } from '#testing/fake-fetch.ts'

/** A library for tests of the engine alone: records in memory, bytes in real files. */
export class MemoryEngineLibrary implements EngineLibrary {
  /** Saved images in the order of saving. */
  readonly saved: NewPicture[] = []
  readonly #images = new Map<string, { record: ImageRecord; path: string }>()
  readonly #metadata = new Map<string, Record<string, unknown>>()
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  static async open(): Promise<MemoryEngineLibrary> {
    return new MemoryEngineLibrary(await mkdtemp(join(tmpdir(), 'tessera-engine-')))
  }

  /** Adds an image before a run. */
  async add(
    imageName: string,
    bytes: Uint8Array,
    metadata: Record<string, unknown> | null = null,
  ): Promise<ImageRecord> {
    const path = join(this.#folder, imageName)
    await writeFile(path, bytes)
    const { width, height } = await sharp(bytes).metadata()
    const record = imageRecord({
      image_name: imageName,
      image_origin: 'internal',
      image_category: 'general',
      width,
      height,
      media_type: 'image/png',
    })
    this.#images.set(imageName, { record, path })
    if (metadata !== null) this.#metadata.set(imageName, metadata)
    return record
  }

  delete(imageName: string): void {
    this.#images.delete(imageName)
  }

  async image(imageName: string): ReturnType<EngineLibrary['image']> {
    return this.#images.get(imageName)?.record ?? null
  }

  async openFile(imageName: string): Promise<string | null> {
    return this.#images.get(imageName)?.path ?? null
  }

  async closeFiles(): Promise<void> {}

  async metadata(imageName: string): ReturnType<EngineLibrary['metadata']> {
    return this.#metadata.get(imageName) ?? null
  }

  async save(picture: NewPicture): Promise<ImageRecord> {
    this.saved.push(picture)
    return this.add(`saved-${this.saved.length}.png`, picture.bytes)
  }
}
