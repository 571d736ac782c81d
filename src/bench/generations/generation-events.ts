import type { Page } from '@playwright/test'
import type { TesseraClient } from '#client/connect.ts'
import type { EventData } from '#contract/events.ts'
import { graphOf } from '#testing/graph-of.ts'

const intermediate = { is_intermediate: true, use_cache: false }

/** Returns a graph that saves one image and takes long enough for its tile to appear. */
export function graph() {
  return graphOf(
    {
      blank: { type: 'blank_image', width: 2400, height: 1600, ...intermediate },
      blur: { type: 'img_blur', radius: 12, ...intermediate },
      small: { type: 'img_resize', width: 768, height: 512, ...intermediate },
      save: { type: 'save_image', use_cache: false },
    },
    ['blank.image -> blur.image', 'blur.image -> small.image', 'small.image -> save.image'],
  )
}

/** Waits for the next event with a name and returns it with the time of its arrival, in ms since 1970. */
export function nextEvent<Name extends 'invocation_started' | 'invocation_complete'>(
  client: TesseraClient,
  name: Name,
  isMeant: (data: EventData<Name>) => boolean = () => true,
): Promise<{ at: number; data: EventData<Name> }> {
  return new Promise((resolve) => {
    const stop = client.events.listen(({ event, data }) => {
      if (event !== name || !isMeant(data as EventData<Name>)) return
      stop()
      resolve({ at: Date.now(), data: data as EventData<Name> })
    })
  })
}

/** True if a node has saved a visible image. */
export function isSaved({ invocation }: EventData<'invocation_complete'>): boolean {
  return !invocation.is_intermediate
}

/** Returns the name of the image in an event. */
export function nameOf({ result }: EventData<'invocation_complete'>): string {
  const { image } = result as { image?: { image_name?: string } }
  if (image?.image_name === undefined) throw new Error('No image was made.')
  return image.image_name
}

/** Returns the time at which a page shows something, in ms since 1970. */
export async function seenAt<Argument>(
  page: Page,
  look: (argument: Argument) => number | false,
  argument: Argument,
): Promise<number> {
  // Playwright passes the argument to a function that is written for the page.
  const handle = await page.waitForFunction(
    look as (argument: unknown) => number | false,
    argument,
    {
      polling: 'raf',
      timeout: 60_000,
    },
  )
  return Number(await handle.jsonValue())
}
