//! Gray images as dense matrices, runs and bits.

use image::{GrayImage, ImageBuffer, Luma};
use looplets::prelude::*;
use looplets::{Error, Level};

/// Runs within rows, and pixels of their own.
fn example() -> GrayImage {
    let pixels = vec![9, 9, 9, 0, 0, 7, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 3, 3];
    GrayImage::from_raw(6, 3, pixels).expect("an image")
}

#[test]
fn pixels_move_both_ways() {
    let image = example();
    let at = image.as_raw().as_ptr();
    let a: DenseMat<u8> = image.into();
    assert_eq!((a.shape(), a.values().expect("values").as_ptr()), (vec![3, 6], at));
    assert_eq!((a.get([0, 5]), a.get([2, 0])), (Some(7), Some(1)));
    let image = GrayImage::try_from(a).expect("an image");
    assert_eq!((image.as_raw().as_ptr(), &image), (at, &example()));
    // More pixels than are shown.
    let image = GrayImage::from_raw(2, 1, vec![1, 2, 3]).expect("an image");
    assert_eq!(DenseMat::<u8>::from(image).to_dense(), [1, 2]);
}

fn there_and_back<L: Level<Value = u8>>(stored: usize) {
    let image = example();
    let a = Tensor::<L>::from_image(&image).expect("the format has it");
    assert_eq!(a.to_dense(), *image.as_raw(), "{a:?}");
    assert_eq!(a.values().expect("values").len(), stored);
    assert_eq!(a.to_image().expect("an image"), image);
}

#[test]
fn any_format_and_runs_are_runs() {
    there_and_back::<Dense<Dense<Element<u8>>>>(18);
    there_and_back::<Dense<SparseList<Element<u8>>>>(10);
    there_and_back::<Dense<RunList<Element<u8>>>>(7);
    there_and_back::<SparseList<RunList<Element<u8>>>>(6);
    there_and_back::<Dense<SparseRunList<Element<u8>>>>(5);
    there_and_back::<Dense<Bitmap<Element<u8>>>>(18);
    let packed = Tensor::<Dense<PackBits<Element<u8>>>>::from_image(&example()).expect("a matrix");
    assert_eq!(packed.to_image().expect("an image"), example());
}

#[test]
fn bits_are_made_by_a_function() {
    type Bits = Tensor<Dense<Bitmap<Pattern>>>;
    let bits = Bits::from_image_by(&example(), |gray| gray > 2).expect("a matrix");
    assert_eq!(bits.triplets().len(), bits.to_dense().iter().filter(|b| **b).count());
    let want = example().into_raw().iter().map(|&gray| if gray > 2 { 255 } else { 0 }).collect();
    let image = bits.to_image_by(|bit| if bit { 255u8 } else { 0 }).expect("an image");
    assert_eq!(image, GrayImage::from_raw(6, 3, want).expect("an image"));
    let runs = Tensor::<Dense<RunList<Element<bool>>>>::from_image_by(&example(), |gray| gray > 2);
    assert_eq!(runs.expect("a matrix").to_dense(), bits.to_dense());
}

#[test]
fn other_types_of_gray_to_the_last_bit() {
    let pixels = vec![-0.0f32, 0.0, f32::NAN, 1.5, 1.5, f32::INFINITY];
    let image = ImageBuffer::<Luma<f32>, _>::from_raw(3, 2, pixels.clone()).expect("an image");
    let bits = |pixels: &[f32]| pixels.iter().map(|p| p.to_bits()).collect::<Vec<u32>>();
    let runs = Tensor::<Dense<SparseRunList<Element<f32>>>>::from_image(&image).expect("a matrix");
    assert_eq!(bits(runs.to_image().expect("an image").as_raw()), bits(&pixels));
    let ones: Tensor<Dense<SparseRunList<Element<u16, One>>>> = Tensor::from_image(
        &ImageBuffer::<Luma<u16>, _>::from_raw(3, 1, vec![1, 1, 500]).expect("an image"),
    )
    .expect("a matrix");
    assert_eq!(
        (ones.stored(), ones.to_image().expect("an image").into_raw()),
        (1, vec![1, 1, 500])
    );
}

#[test]
fn edges_and_errors() {
    for (width, height) in [(0, 0), (0, 3), (3, 0), (1, 1)] {
        let image = GrayImage::new(width, height);
        let runs = Tensor::<Dense<RunList<Element<u8>>>>::from_image(&image).expect("a matrix");
        assert_eq!(runs.shape(), [height as usize, width as usize]);
        assert_eq!(runs.to_image().expect("an image"), image);
        assert_eq!(
            GrayImage::try_from(DenseMat::<u8>::from(image.clone())).expect("an image"),
            image
        );
    }
    let vector = Tensor::<Dense<Element<u8>>>::from_image(&example());
    assert_eq!(vector.unwrap_err(), Error::Rank { expected: 1, found: 2 });
    let long: DenseMat<u8> = Tensor::new([0, 1 << 32]).expect("no elements");
    assert_eq!(long.to_image().unwrap_err(), Error::TooLarge { shape: vec![0, 1 << 32] });
    assert_eq!(GrayImage::try_from(long).unwrap_err(), Error::TooLarge { shape: vec![0, 1 << 32] });
}

finch! {
    fn difference(a: &Tensor<Dense<RunList<Element<u8>>>>, b: &Tensor<Dense<RunList<Element<u8>>>>) -> (d: DenseMat<u8>) {
        for i, j { d[i, j] = a[i, j] ^ b[i, j] }
    }
}

#[test]
fn a_kernel_over_runs_is_that_over_pixels() {
    let other = GrayImage::from_raw(6, 3, (0..18).map(|k| k / 4 * 50).collect()).expect("an image");
    let (a, b) = (
        Tensor::from_image(&example()).expect("a matrix"),
        Tensor::from_image(&other).expect("a matrix"),
    );
    let image = GrayImage::try_from(difference(&a, &b)).expect("an image");
    let want = GrayImage::from_fn(6, 3, |x, y| Luma([example()[(x, y)].0[0] ^ other[(x, y)].0[0]]));
    assert_eq!(image, want);
}
