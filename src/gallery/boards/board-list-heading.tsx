import { ArrowDownUp, Plus } from 'lucide-react'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Menu, MenuChoice, MenuSeparator, MenuSwitch } from '#gallery/ui/menu.tsx'
import {
  archiveShown,
  newBoardAsked,
  orderChosen,
  useBoardOrder,
  useIsArchiveShown,
} from './board-list-store.ts'

const orders = [
  { value: 'created', label: 'Newest first' },
  { value: 'name', label: 'Name' },
  { value: 'count', label: 'Most images first' },
] as const

/** What stands over the boards: how they are ordered, and a new one. */
export function BoardListHeading() {
  const order = useBoardOrder()
  const isArchiveShown = useIsArchiveShown()
  return (
    <div className="flex shrink-0 items-center pt-3 pr-1 pb-1 pl-4">
      <h2 className="flex-1 font-medium text-muted text-xs">Boards</h2>
      <Menu align="end" trigger={<IconButton label="Sort boards" icon={ArrowDownUp} />}>
        <MenuChoice label="Order" value={order} options={orders} onChoose={orderChosen} />
        <MenuSeparator />
        <MenuSwitch isOn={isArchiveShown} onChange={archiveShown}>
          Show archived boards
        </MenuSwitch>
      </Menu>
      <IconButton label="New board" icon={Plus} onClick={newBoardAsked} />
    </div>
  )
}
