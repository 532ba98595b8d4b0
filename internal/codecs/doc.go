// Package codecs reads the arrays that NumPy and MATLAB wrote: .npy files, which are the
// members of .npz, and the numeric matrices of a level 5 MAT-file.
//
// MATLAB's save writes level 5 with -v6 (plain) and -v7 (compressed).
// A file is a header of 128 bytes and a row of data elements. An element is a
// tag, which gives a type and a number of bytes, and that many bytes, padded
// to a multiple of eight unless the element is compressed. Elements of up to
// four bytes keep both numbers in the first half of the tag and their bytes in
// the second. A matrix is an element made of elements: flags with its class,
// dimensions, name, real part and, for complex ones, imaginary part. The
// stored type of the real part may be narrower than the class.
//
// [ReadMAT] reads real matrices of two dimensions, which the data sets need. It
// skips text, cells, structures, sparse and complex arrays. It refuses files of
// versions 4 and 7.3 with advice on saving them again.
//
// ReadMAT checks every count of the file against the bytes present, and limits the size
// of unpacked elements, so that memory is bounded by the size of the input.
//
// Reference: MAT-File Format, The MathWorks, level 5 chapter.
package codecs
