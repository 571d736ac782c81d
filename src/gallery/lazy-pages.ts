import { lazyPart } from './ui/lazy-part.ts'

/** Pages that load when they are opened. */
export const DuplicatesPage = lazyPart(
  async () => (await import('./duplicates-page.tsx')).DuplicatesPage,
)
export const InsightsPage = lazyPart(async () => (await import('./insights-page.tsx')).InsightsPage)
export const LockedNotice = lazyPart(async () => (await import('./shell/sign-in.tsx')).LockedNotice)
export const SignIn = lazyPart(async () => (await import('./shell/sign-in.tsx')).SignIn)
export const TrashPage = lazyPart(async () => (await import('./trash-page.tsx')).TrashPage)
