import { getAuthStatus } from '#contract/app-operations.ts'
import { defineRoute } from '#server/http/route.ts'

export const getAuthStatusRoute = defineRoute(getAuthStatus, async () => ({
  setup_required: false,
  multiuser_enabled: false,
  strict_password_checking: false,
  admin_email: null,
}))
