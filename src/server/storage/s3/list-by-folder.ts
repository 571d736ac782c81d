import { imageFolders } from '#server/storage/disk/image-path.ts'
import type { Bucket } from './bucket.ts'

/**
 * Yields the names of the objects in each folder of images below a key, in the order of the folders, also of empty
 * ones. S3 lists keys in order, so that one list suffices for all folders.
 */
export async function* listByFolder(bucket: Bucket, start: string): AsyncGenerator<string[]> {
  let at = 0
  let names: string[] = []
  for await (const keys of bucket.list(start)) {
    for (const key of keys) {
      const [folder = '', name = ''] = key.slice(start.length).split('/')
      const index = imageFolders.indexOf(folder)
      for (; at < index; at++) {
        yield names
        names = []
      }
      if (index === at) names.push(name)
    }
  }
  for (; at < imageFolders.length; at++) {
    yield names
    names = []
  }
}
