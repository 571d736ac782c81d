import { ArrowDownUp } from 'lucide-react'
import type { ImageOrder } from '#contract/image.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { Menu, MenuChoice, MenuSeparator, MenuSwitch } from '#gallery/ui/menu.tsx'
import { defaultDirOf, isByDate, ORDERS } from '#gallery/url/place-order.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'

const labels = {
  created_at: { by: 'Date added', DESC: 'Newest first', ASC: 'Oldest first' },
  taken_at: { by: 'Date taken', DESC: 'Newest first', ASC: 'Oldest first' },
  name: { by: 'Name', ASC: 'A to Z', DESC: 'Z to A' },
  size: { by: 'Size', DESC: 'Largest first', ASC: 'Smallest first' },
} as const satisfies Record<ImageOrder, object>

const keys = ORDERS.map((value) => ({ value, label: labels[value].by }))

/** Returns both directions of an order, the default first. */
function directionsOf(orderBy: ImageOrder) {
  const first = defaultDirOf(orderBy)
  const dirs = [first, first === 'ASC' ? 'DESC' : 'ASC'] as const
  return dirs.map((value) => ({ value, label: labels[orderBy][value] }))
}

/** The menu for the order of the images, with the orders that the server supports. The choice is stored in the URL. */
export function SortMenu() {
  const { orderBy, orderDir, starredFirst, groupByDay } = usePlace()
  const hasOrders = useHasExtension('image_orders')
  const hasDays = useHasExtension('image_days')
  const shownOrder = hasOrders ? orderBy : 'created_at'
  return (
    <Menu align="end" trigger={<IconButton label="Sort" icon={ArrowDownUp} />}>
      {hasOrders && (
        <>
          <MenuChoice
            label="Sort by"
            value={orderBy}
            options={keys}
            onChoose={(chosen) => goTo({ orderBy: chosen, orderDir: defaultDirOf(chosen) })}
          />
          <MenuSeparator />
        </>
      )}
      <MenuChoice
        label="Order"
        value={orderDir}
        options={directionsOf(shownOrder)}
        onChoose={(chosen) => goTo({ orderDir: chosen })}
      />
      <MenuSeparator />
      <MenuSwitch isOn={starredFirst} onChange={(isOn) => goTo({ starredFirst: isOn })}>
        Starred first
      </MenuSwitch>
      {hasDays && isByDate(shownOrder) && (
        <MenuSwitch isOn={groupByDay} onChange={(isOn) => goTo({ groupByDay: isOn })}>
          Group by day
        </MenuSwitch>
      )}
    </Menu>
  )
}
