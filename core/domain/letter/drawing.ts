/* The used parts of the libraries that draw, in a module that the build keeps as a separate file. */
export { create as createFont } from 'fontkit';
export { default as PdfDocument } from 'pdfkit';
export { PNG } from 'pngjs';
