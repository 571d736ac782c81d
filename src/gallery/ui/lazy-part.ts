import { type ComponentType, createElement, lazy, useState } from 'react'

/** Time between two attempts while the server is away, in milliseconds. */
const RETRY_MS = 1_000

/**
 * A part of the page that loads when it is first shown, or before with `preload`. A loaded part is shown at once, which
 * `lazy` alone does not do: it first shows the fallback, which React replaces only after 300 ms. While the server is away
 * the fallback stays. A part that a server no longer has fails, and a reload of the page helps.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const module: { part: ComponentType<Props> | null } = { part: null }
  const preload = async () => {
    module.part = await load()
  }
  const Lazy = lazy(async () => ({ default: await loadWhenThere(load) }))
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, when this module is loaded
  const Part = (props: Props) => {
    // Not replaced while it is shown, because that would reset its state.
    const [Shown] = useState<ComponentType<Props>>(() => module.part ?? Lazy)
    return createElement(Shown, props)
  }
  return Object.assign(Part, { preload })
}

/** Loads code of the page. While the server is away, it tries again until the server answers. */
export async function loadWhenThere<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await load()
    } catch (error) {
      // The server may have come back between the two requests.
      if (failures > 0 && (await isServerThere())) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** A proxy in front of a stopped server answers with an error. */
async function isServerThere(): Promise<boolean> {
  try {
    const { ok } = await fetch(new URL('robots.txt', document.baseURI), { cache: 'no-store' })
    return ok
  } catch {
    return false
  }
}
