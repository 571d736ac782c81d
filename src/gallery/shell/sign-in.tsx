import { Lock } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { useCapabilities } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'
import { TextField } from '#gallery/ui/text-field.tsx'

/** The sign-in form of an InvokeAI with accounts. */
export function SignIn() {
  const { account } = useGallery()
  const upstream = useCapabilities()?.front?.upstream
  const password = useRef<HTMLInputElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const form = new FormData(event.currentTarget)
    setIsBusy(true)
    setFault(null)
    try {
      await account.signIn({
        email: String(form.get('email')).trim(),
        password: String(form.get('password')),
        rememberMe: form.has('remember'),
      })
    } catch (error) {
      setFault(reasonOf(error))
      setIsBusy(false)
      password.current?.focus()
      password.current?.select()
    }
  }

  return (
    <main aria-label="Sign in" className="flex h-full overflow-y-auto bg-sunken p-4">
      <form
        onSubmit={(event) => void submit(event)}
        className="m-auto flex w-full max-w-[22rem] flex-col gap-4 rounded-lg border border-line bg-raised p-6 shadow-raised sm:p-8"
      >
        <header className="flex flex-col items-center gap-2 text-center">
          <img src="icon.svg" alt="" width={40} height={40} />
          <h1 className="font-semibold text-xl tracking-tight">Sign in to your gallery</h1>
          <p className="text-muted [overflow-wrap:anywhere]">
            With your account on InvokeAI
            {upstream !== undefined && <span className="block">at {hostOf(upstream)}</span>}
          </p>
        </header>
        <TextField label="Email" name="email" type="email" autoComplete="username" autoFocus />
        <TextField
          ref={password}
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          fault={fault}
        />
        <label className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
          <input type="checkbox" name="remember" className="size-4 accent-accent" />
          Remember me for seven days
        </label>
        <Button type="submit" tone="primary" aria-disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
    </main>
  )
}

const hostOf = (address: string): string => URL.parse(address)?.host ?? address

/** The page of a server that requires a token, in a browser without it. */
export function LockedNotice() {
  return (
    <main className="h-full">
      <Notice
        icon={Lock}
        title="Open this gallery with its link"
        actions={<Button onClick={() => window.location.reload()}>Try again</Button>}
      >
        <p>
          Open the link that the server printed when it started. It ends in{' '}
          <code className="font-mono text-sm">?token=…</code>, and this browser then remembers it.
        </p>
      </Notice>
    </main>
  )
}
