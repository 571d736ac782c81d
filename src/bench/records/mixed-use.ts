import { readFile } from 'node:fs/promises'
import type { ImageNamesResult, ImagesPage } from '#contract/image.ts'
import { FREQUENT_WORD, nameAt, RARE_WORD } from './fill-records.ts'

const MB = 1e6

/** Returns the memory of a process in MB. */
export const memoryOf = async (
  pid: number | undefined,
  field: 'VmRSS' | 'VmHWM',
): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
  return (Number(kilobytes) * 1024) / MB
}

export const get = async <T>(url: string, path: string): Promise<T> => {
  const response = await fetch(`${url}/api/v1/${path}`)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as T
}

const post = async (url: string, path: string, body: unknown): Promise<void> => {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  await response.arrayBuffer()
}

const ORDERS = ['created_at', 'taken_at', 'name', 'size'] as const

/** Runs a round of mixed use: scrolls in every order, searches, stars, moves, selects all, opens the trash. */
export const use = async (url: string, rows: number, round: number): Promise<void> => {
  const page = (query: string) => get<ImagesPage>(url, `images/?limit=200&${query}`)
  for (const by of ORDERS)
    for (const starredFirst of [true, false])
      for (const dir of ['ASC', 'DESC']) {
        const view = `order_by=${by}&starred_first=${starredFirst}&order_dir=${dir}&is_intermediate=false`
        for (const share of [0, 0.1, 0.5, 0.9])
          await page(`${view}&offset=${Math.floor(rows * share)}`)
        await page(`${view}&board_id=none&offset=${Math.floor(rows / 10)}`)
        await page(`${view}&categories=user&offset=${Math.floor(rows / 50)}`)
      }
  for (const by of ORDERS)
    for (const query of [FREQUENT_WORD, RARE_WORD, '"sharp focus"', 'castle', `bo ${round}`]) {
      await page(`order_by=${by}&query=${encodeURIComponent(query)}&offset=100`)
      await post(url, `images/${round % 2 ? 'un' : ''}star`, { image_names: [nameAt(round)] })
    }
  await page(`search_term=${FREQUENT_WORD}`)
  for (const by of ['created_at', 'taken_at'])
    await get(url, `images/days?order_by=${by}&time_zone=Europe/Berlin`)
  await get<ImageNamesResult>(url, 'images/names')
  await get(url, 'boards/?all=true')
  const some = Array.from({ length: Math.min(1000, rows / 4) }, (_, at) => nameAt(at * 3 + 1))
  await post(url, `images/${round % 2 ? 'un' : ''}star`, { image_names: some })
  await post(url, 'board_images/batch/delete', { image_names: some })
  await post(url, 'trash/images', { image_names: some })
  await get(url, 'trash/?limit=100')
  await post(url, 'trash/restore', { image_names: some })
}
