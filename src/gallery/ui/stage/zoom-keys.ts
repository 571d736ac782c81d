/** The commands that zoom pictures, with the same keys wherever pictures are zoomed. */
export const zoomKeysOf = <Scope extends string>(scope: Scope) => ({
  zoomIn: { id: `${scope}.zoomIn` as const, keys: ['Shift++', '+', '='], label: 'Zoom in' },
  zoomOut: { id: `${scope}.zoomOut` as const, keys: '-', label: 'Zoom out' },
  fit: { id: `${scope}.fit` as const, keys: 'Shift+A', label: 'Fit to the window' },
  actualSize: { id: `${scope}.actualSize` as const, keys: 'a', label: 'Actual size' },
})
