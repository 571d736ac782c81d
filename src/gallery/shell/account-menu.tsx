import { CircleUser, LogOut } from 'lucide-react'
import { signOut, useAccount } from '#gallery/api/account.ts'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Menu, MenuHeading, MenuItem } from '#gallery/ui/menu.tsx'

/** Who is signed in, and the way out; nothing before a server without accounts. */
export function AccountMenu() {
  const account = useAccount()
  if (account === null) return null
  return (
    <Menu align="end" trigger={<IconButton label="Account" icon={CircleUser} />}>
      <MenuHeading>{account.display_name ?? account.email}</MenuHeading>
      <MenuItem icon={LogOut} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
