import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { Button, FoldingButton } from '#gallery/ui/button.tsx'
import { Choice, Switch } from '#gallery/ui/options.tsx'
import { Popover } from '#gallery/ui/popups/dialog.tsx'
import { defaultDirOf, isByDate } from '#gallery/url/place-order.ts'
import {
  goTo,
  makeOrderDefault,
  resetOrder,
  useDefaultOrder,
  usePlace,
} from '#gallery/url/use-place.ts'
import { directionsOf, useOrderChoices } from './order-choices.ts'

/** The button that opens all options of the view. */
export function ViewOptions({ children }: { children: ReactNode }) {
  return (
    <Popover
      label="View options"
      trigger={<FoldingButton label="View options" icon={SlidersHorizontal} text="View" />}
    >
      <div className="flex w-64 flex-col gap-3 p-2 sheet:w-auto">{children}</div>
    </Popover>
  )
}

/** The sort order, with the orders that the server supports. The choice is stored in the URL. */
export function SortOptions() {
  const { board, orderBy, orderDir } = usePlace()
  const hasOrders = useHasExtension('image_orders')
  const options = useOrderChoices(board)
  return (
    <>
      {hasOrders && (
        <Choice
          label="Sort by"
          value={orderBy}
          options={options}
          onChoose={(chosen) => goTo({ orderBy: chosen, orderDir: defaultDirOf(chosen) })}
        />
      )}
      <Choice
        label="Order"
        value={orderDir}
        options={directionsOf(hasOrders ? orderBy : 'created_at')}
        onChoose={(chosen) => goTo({ orderDir: chosen })}
      />
    </>
  )
}

/** The order of the images on boards. */
export function OrderOptions() {
  const { orderBy, starredFirst, groupByDay } = usePlace()
  const hasOrders = useHasExtension('image_orders')
  const hasDays = useHasExtension('image_days')
  return (
    <>
      <SortOptions />
      <div>
        <Switch isOn={starredFirst} onChange={(isOn) => goTo({ starredFirst: isOn })}>
          Starred first
        </Switch>
        {hasDays && isByDate(hasOrders ? orderBy : 'created_at') && (
          <Switch isOn={groupByDay} onChange={(isOn) => goTo({ groupByDay: isOn })}>
            Group by day
          </Switch>
        )}
      </div>
    </>
  )
}

/** Makes the order and layout of the open board the default of all boards, or returns to the default. */
export function DefaultOptions() {
  const { isDefault, canReset } = useDefaultOrder()
  return (
    <div className="grid grid-cols-[1fr_auto] gap-2">
      <Button disabled={isDefault} onClick={makeOrderDefault}>
        Use for all boards
      </Button>
      <Button disabled={!canReset} onClick={resetOrder}>
        Reset
      </Button>
    </div>
  )
}
