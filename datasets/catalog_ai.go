package datasets

// The sets A to I of the paper's Table 1.

func robot() Entry {
	const name = "sensor_readings_4.data"
	return Entry{
		ID: "robot", Letter: "A", Name: "Robot", Licence: uciLicence,
		Note: "codes and rows as in the authors' own file; its training rows of a class are 0-39 and 100-119, 40-99 validate; " +
			"50 rows repeat the features of another",
		Files: []File{uci("194/wall+following+robot+navigation+data", "00194", name, "",
			221158, "3e2f8ec98af5cc66d31b120222f92c0fbfd5033bbc78e50f8edf74f2e236c9ee")},
		Features:    4,
		Labels:      []string{"Slight-Right-Turn", "Sharp-Right-Turn", "Move-Forward", "Slight-Left-Turn"},
		Histogram:   []int{826, 2097, 2205, 328},
		Digest:      "921b56e5f719a95165b20d53da26073e8261c2dc3056d02c1bca4f5352d9f553",
		Sizes:       Sizes{Train: 60, Head: 40, Validation: 60},
		SplitDigest: "d97bc93f87db08253607808abbb42262d6c97544bc2d929188d8becc5726569f",
		Recorded:    true,
		load:        tables(table{name, shape{separator: ",", fields: 5, label: 5}}),
	}
}

func letter() Entry {
	const name = "letter-recognition.data"
	return Entry{
		ID: "letter", Letter: "B", Name: "Letter", Licence: uciLicence,
		Note: "1332 rows repeat the features of another",
		Files: []File{uci("59/letter+recognition", "letter-recognition", name, "",
			712565, "2b89f3602cf768d3c8355267d2f13f2417809e101fc2b5ceee10db19a60de6e2")},
		Features: 16,
		Labels:   letters(),
		Histogram: []int{789, 766, 736, 805, 768, 775, 773, 734, 755, 747, 739, 761, 792,
			783, 753, 803, 783, 758, 748, 796, 813, 764, 752, 787, 786, 734},
		Digest:      "21a0e8e052ae0289eebe9835778926250214666dbf33e827f74dc5946dabda02",
		Sizes:       Sizes{Train: 20, Validation: 100, Test: 100},
		SplitDigest: "5d1e832feaad14011e5a3d81db39f9c78aa97b2392a6dcff02dd0aaa36b96c9b",
		load:        tables(table{name, shape{separator: ",", fields: 17, label: 1}}),
	}
}

func pendigits() Entry {
	const archive, folder = "81/pen+based+recognition+of+handwritten+digits", "pendigits"
	lines := shape{separator: ",", fields: 17, label: 17}
	return Entry{
		ID: "pendigits", Letter: "C", Name: "Pendigits", Licence: uciLicence,
		Note: "pendigits.tra, then pendigits.tes",
		Files: []File{
			uci(archive, folder, "pendigits.tra", "", 502098, "e2b9eb9f0d0467e2b64a4816a3420edf2b8043447576f4b84337aba44a9f97d3"),
			uci(archive, folder, "pendigits.tes", "", 234366, "8bd03229c5c5291fefe43e45465dd948d2645bf23328b9d993e0b777666b2015"),
		},
		Features:    16,
		Labels:      digits(),
		Histogram:   []int{1143, 1143, 1144, 1055, 1144, 1055, 1056, 1142, 1055, 1055},
		Digest:      "f510fc0c2b06b12444b615810b96aacb86e6e58e5a6d5aea44c69a2e423ce6f7",
		Sizes:       Sizes{Train: 40, Validation: 200, Test: 200},
		SplitDigest: "be4f8fe01834188d90fe2a59d533cdc62fbb2fcb30ec4abeaa5253e7c2d16223",
		load:        tables(table{"pendigits.tra", lines}, table{"pendigits.tes", lines}),
	}
}

func winequality() Entry {
	const archive, folder = "186/wine+quality", "wine-quality"
	red := shape{separator: ";", fields: 12, header: 1, class: "red"}
	white := shape{separator: ";", fields: 12, header: 1, class: "white"}
	return Entry{
		ID: "winequality", Letter: "D", Name: "Wine Quality", Licence: uciLicence,
		Note: "the classes are the two files, quality is the twelfth feature; the authors' file has 6197 test samples, Table 1 and the printed " +
			"accuracy fit the first 2898; 1179 rows repeat the features of another, two of them in the other class",
		Files: []File{
			uci(archive, folder, "winequality-red.csv", "", 84199, "4a402cf041b025d4566d954c3b9ba8635a3a8a01e039005d97d6a710278cf05e"),
			uci(archive, folder, "winequality-white.csv", "", 264426, "76c3f809815c17c07212622f776311faeb31e87610d52c26d87d6e361b169836"),
		},
		Features:    12,
		Labels:      []string{"red", "white"},
		Histogram:   []int{1599, 4898},
		Digest:      "bdb2dc21d51875329bf04e5fe5db1f6e06529688892ad165938862a13bdcc617",
		Sizes:       Sizes{Train: 75, Validation: 75, TestTotal: 2898},
		SplitDigest: "e104b5f49e3a28f280fbeb1e05148c59de82f5bc3da321becb3dc4aee108fd48",
		Recorded:    true,
		load:        tables(table{"winequality-red.csv", red}, table{"winequality-white.csv", white}),
	}
}

func telescope() Entry {
	const name = "magic04.data"
	return Entry{
		ID: "telescope", Letter: "E", Name: "Telescope", Licence: uciLicence,
		Note: "115 rows repeat the features of another",
		Files: []File{uci("159/magic+gamma+telescope", "magic", name, "",
			1477391, "e9314b7ebd4b4b59a3b3d65f7316663963777b16a46786877651dbbaa640b36a")},
		Features:    10,
		Labels:      []string{"g", "h"},
		Classes:     []string{"gamma", "hadron"},
		Histogram:   []int{12332, 6688},
		Digest:      "be20f6ddd9044f6489cd626e69be1e8955f434b48e4718dd03eec3f369934fe6",
		Sizes:       Sizes{Train: 150, Validation: 150, Test: 2700},
		SplitDigest: "9c6ec90f7fb8028ce833221d0a070fc0c8038ed7ff82bd59cd19389bd6883321",
		load:        tables(table{name, shape{separator: ",", fields: 11, label: 11}}),
	}
}

func segmentation() Entry {
	const archive, folder = "50/image+segmentation", "image"
	lines := shape{separator: ",", fields: 20, label: 1, drop: 4, header: 5}
	return Entry{
		ID: "segmentation", Letter: "F", Name: "Image Segmentation", Licence: uciLicence + "; doi 10.24432/C5GP4N",
		Note: "segmentation.data, then segmentation.test, without the constant third feature; all 210 rows of the first occur again in the " +
			"second, so training rows come back in the test set; the paper names Delve as its source",
		Files: []File{
			uci(archive, folder, "segmentation.data", "", 34842, "ed5b5aee8081bbe875357149f73f50d7085e22cc0897f5b52eb7b52fea969a5b"),
			uci(archive, folder, "segmentation.test", "", 345084, "2e9e966479d54c6aaec309059376dd9c89c1b46bf3a23aceeefb36d20d93a189"),
		},
		Features:    18,
		Labels:      []string{"BRICKFACE", "SKY", "FOLIAGE", "CEMENT", "WINDOW", "PATH", "GRASS"},
		Histogram:   same(7, 330),
		Digest:      "a33358656098df34fc73b22095d1750d2d3c52e683a229cd6036a834781f870b",
		Sizes:       Sizes{Train: 30, Validation: 30, Test: 270},
		SplitDigest: "9978735a74bb7b9eb414544d360f42745942a90109e8b9cdc987d683ca7b705e",
		load:        tables(table{"segmentation.data", lines}, table{"segmentation.test", lines}),
	}
}

func twonorm() Entry {
	const name = "twonorm.dat"
	return Entry{
		ID: "twonorm", Letter: "G", Name: "Two Norm", Licence: normLicence,
		Note: "KEEL's copy, not Delve's original (https://www.cs.toronto.edu/~delve/data/twonorm/desc.html), whose rows probably come in another order",
		Files: []File{keel("twonorm.zip", name,
			1128524, "8dd11d16266f0e0116bbf52409ab7ae0b2de23f0d0d9143b34062f55805c7d35")},
		Features:    normFeatures,
		Labels:      []string{"0", "1"},
		Histogram:   []int{3703, 3697},
		Digest:      "128f554132bc52e4ee53d0545915a619c1ac5126f31facbac3300cecde45a271",
		Sizes:       normSizes,
		OtherCopy:   true,
		SplitDigest: "737a1175606174b61037c7f30fcb8bbc8bb75f1882508de058c3810ae28bc066",
		load:        tables(table{name, keelLines}),
	}
}

func ringnorm() Entry {
	const name = "ring.dat"
	return Entry{
		ID: "ringnorm", Letter: "H", Name: "Ring Norm", Licence: normLicence,
		Note: "KEEL's copy, not Delve's original (https://www.cs.toronto.edu/~delve/data/ringnorm/desc.html); it holds 1000 times the values, " +
			"which are divided by 1000 again, since step lengths are made for the original scale",
		Files: []File{keel("ring.zip", name,
			1009474, "eab57f7144ddda3cb6a1c7161532a3ba89dbad446f1edde78b498aebff39fc85")},
		Features:    normFeatures,
		Labels:      []string{"0", "1"},
		Histogram:   []int{3664, 3736},
		Digest:      "f2ec9b4faf82d7dc6de370be5c98a7a468a688c2ad9ac19bd58b6120b3a9f913",
		Sizes:       normSizes,
		OtherCopy:   true,
		SplitDigest: "99c94614843e8fe2226202a29a607f9cc96f3452c7cddcc89f3668a76784cdff",
		load:        scaled(tables(table{name, keelLines}), 1000),
	}
}

// What Two Norm and Ring Norm have in common.
const normLicence = "synthetic data (Breiman 1996); no licence statement seen"

var (
	normSizes = Sizes{Train: 125, Validation: 125, Test: 1950}
	keelLines = shape{fields: 21, label: 21, number: true, keel: true}
)

// keel describes a file of the KEEL repository, whose header and spacing vary
// between copies.
func keel(archive, name string, size int64, sum string) File {
	const place = "http://sci2s.ugr.es/keel/dataset/data/classification/"
	return varying(File{Name: name, Bytes: size, SHA256: sum, Sources: []Source{{URL: place + archive, Member: name}}})
}

func ionosphere() Entry {
	const name = "ionosphere.data"
	return Entry{
		ID: "ionosphere", Letter: "I", Name: "Ionosphere", Licence: uciLicence,
		Note: "codes and rows as in the authors' own file; the second feature is always 0",
		Files: []File{uci("52/ionosphere", "ionosphere", name, "",
			76467, "46d52186b84e20be52918adb93e8fb9926b34795ff7504c24350ae0616a04bbd")},
		Features:    34,
		Labels:      []string{"g", "b"},
		Classes:     []string{"good", "bad"},
		Histogram:   []int{225, 126},
		Digest:      "0f8d13ec9d57245404b283e905095459f8c4aeb1b2c89117c43134a2a427a47b",
		Sizes:       Sizes{Train: 40, Validation: 25},
		SplitDigest: "a39cca24d21967be9482168067c2985d7d0bc3dd3f58c0c65c56042011d978a2",
		Recorded:    true,
		load:        tables(table{name, shape{separator: ",", fields: 35, label: 35}}),
	}
}
