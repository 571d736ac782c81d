import Type from 'typebox'
import { defineNode } from '#server/engine/define-node.ts'

const Count = () => Type.Integer({ default: 1, minimum: 1 })
const Index = () => Type.Integer({ default: 0, minimum: 0, description: 'From 0' })

/** A cell of a grid in whole pixels; what cannot be divided is left over on the right and below (wire 9.5). */
export const imagePanelLayout = defineNode({
  type: 'image_panel_layout',
  summary: 'Works out where a panel of a grid lies',
  inputs: {
    width: Type.Integer({ description: 'Of the whole grid, in pixels' }),
    height: Type.Integer({ description: 'Of the whole grid, in pixels' }),
    num_cols: Count(),
    num_rows: Count(),
    panel_col_idx: Index(),
    panel_row_idx: Index(),
  },
  output: {
    type: 'image_panel_coordinate_output',
    fields: Type.Object({
      x_left: Type.Integer(),
      y_top: Type.Integer(),
      width: Type.Integer(),
      height: Type.Integer(),
    }),
  },
  check: ({ num_cols, num_rows, panel_col_idx, panel_row_idx }) => {
    const fault = (field: string, count: number) => ({
      field,
      message: `${field} must be between 0 and ${count - 1}`,
    })
    if (panel_col_idx >= num_cols) return fault('panel_col_idx', num_cols)
    return panel_row_idx >= num_rows ? fault('panel_row_idx', num_rows) : null
  },
  run: (grid) => {
    const width = Math.floor(grid.width / grid.num_cols)
    const height = Math.floor(grid.height / grid.num_rows)
    const x_left = grid.panel_col_idx * width
    const y_top = grid.panel_row_idx * height
    return { x_left, y_top, width, height }
  },
})
