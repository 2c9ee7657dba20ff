/** Major versions of the official gateway whose interface can be served below `/api/core/v1`. */
export type ConnectorVersion = 6 | 7;
