/** How a field looks that is typed or chosen in. Below 16 px a phone would zoom in. */
export const inputClasses =
  'h-9 w-full min-w-0 rounded border border-line bg-surface px-2 text-sm pointer-coarse:h-11 pointer-coarse:text-base'
